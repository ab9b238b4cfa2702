package dist

import (
	"math/big"
	"strconv"
)

// nearestRank is ceil(q*n) for the decimal that q prints as: 0.999 of 100000
// is 99900, not the 99901 of the binary fraction. 0 when q is outside (0, 1].
func nearestRank(q float64, n uint64) uint64 {
	if !(q > 0 && q <= 1) || n == 0 {
		return 0
	}
	r := decimal(q)
	num := new(big.Int).Mul(r.Num(), new(big.Int).SetUint64(n))
	quo, rem := new(big.Int).QuoRem(num, r.Denom(), new(big.Int))
	if rem.Sign() > 0 {
		quo.Add(quo, big.NewInt(1))
	}
	return quo.Uint64()
}

// decimal is the shortest decimal that reads back as f, as a fraction.
func decimal(f float64) *big.Rat {
	r, _ := new(big.Rat).SetString(strconv.FormatFloat(f, 'g', -1, 64))
	return r
}
