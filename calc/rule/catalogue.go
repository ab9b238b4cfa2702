package rule

// Catalogue is every rule of the model, in the order of its ids. The rules of
// one library each (5xx and up) stand with the library.
var Catalogue = []Rule{
	LP101, LP103, LP114,
	LP201, LP202, LP203, LP204, LP205, LP206, LP207, LP208, LP209, LP210, LP211,
	LP301,
}
