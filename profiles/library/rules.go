package library

import "github.com/lockplan/lockplan/calc/rule"

// Catalogue is every rule of one library (5xx and up), in the order of its
// ids. They are raised where the library reads a configuration.
var Catalogue = []rule.Rule{
	LP500, LP501, LP502, LP503, LP504, LP505,
	LP520, LP521, LP522, LP523, LP524, LP525, LP526, LP527, LP528, LP529, LP530, LP531,
	LP540, LP541, LP542, LP543, LP545, LP546, LP547,
	LP560, LP561, LP562, LP563, LP564, LP565, LP566,
	LP580, LP581, LP582, LP583, LP584, LP585, LP586, LP587, LP588,
	LP600, LP601,
	LP620, LP621, LP622, LP623, LP624,
	LP640, LP641, LP642, LP643, LP644, LP645,
}
