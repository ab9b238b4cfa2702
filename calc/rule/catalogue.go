package rule

// Catalogue is every rule of the model, in the order of its ids. The rules of
// one library each (5xx and up) stand with the library.
var Catalogue = []Rule{
	LP101, LP102, LP103, LP104, LP105, LP106, LP107, LP108, LP109, LP110, LP111,
	LP112, LP113, LP114, LP115, LP116, LP117, LP118, LP119, LP120, LP121,
	LP201, LP202, LP203, LP204, LP205, LP206, LP207, LP208, LP209, LP210, LP211,
	LP301, LP302, LP303, LP304, LP305, LP306, LP307, LP308, LP309, LP310, LP311,
	LP312, LP313,
	LP401, LP402, LP403, LP404, LP405, LP406, LP407,
}
