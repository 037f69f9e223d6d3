package elastomers

import (
	"fmt"

	"github.com/curlfree/curlfree/kinds"
)

// Measured is a rubber with a law fitted to a pull test, for scenes that name it.
type Measured struct {
	// Law are one-term parameters of fem.Ogden: modulus (Pa), exponent, and the largest stretch of the data.
	Modulus, Exponent, Limit float64
}

// Spec is a kind of rubber.
type Spec interface{ Elastomer() Measured }

// Elastomer implements Spec.
func (m *Measured) Elastomer() Measured { return *m }

// YoungsModulus returns the modulus at rest of a body that keeps its volume, Pa.
func (m Measured) YoungsModulus() float64 { return 1.5 * m.Modulus * m.Exponent }

// Elastomers are the rubbers that scenes name.
var Elastomers = kinds.NewRegistry[Spec]("elastomer", "Rubber with a law that was fitted to a pull test.").In(kinds.Plain)

// source of all entries.
const source = "First pull of one specimen by ASTM D412, Soft Robotics Materials Database (Marechal and others, Soft Robotics 2020, doi 10.1089/soro.2019.0115; " +
	"database under ODbL), engineering stress, fitted by `curlfree material fit --law 'ogden 1' --stretch 4`."

// register adds a rubber.
func register(name, product string, m Measured, percent float64, remark string) Measured {
	Elastomers.Register(kinds.Kind[Spec]{
		Name: name,
		Doc:  fmt.Sprintf("%s: Ogden's law of modulus %.4g kPa and exponent %.4g, %.3g kPa at rest.", product, 1e-3*m.Modulus, m.Exponent, 1e-3*m.YoungsModulus()),
		About: fmt.Sprintf("Within %.2g %% (root mean square) up to a stretch of %.3g. %s Strains are those of the crosshead: moduli at small strains are uncertain by tens "+
			"of percent, and so are batches, age and rate.%s", percent, m.Limit, source, remark),
		New:     func() Spec { copied := m; return &copied },
		Samples: func() []Spec { copied := m; return []Spec{&copied} },
	})
	return m
}

var _ = []Measured{
	register("bodydouble_silk", "BodyDouble SILK", Measured{1.09e5, 2.225, 3.98}, 5.0, ""),
	register("dragon_skin_10_medium", "Dragon Skin 10 MEDIUM", Measured{2.876e4, 3.026, 4}, 3.7, " A cantilever of it, measured elsewhere, bends with 264 kPa at small strains, twice the modulus at rest of this fit: slack and distance of grips."),
	register("dragon_skin_20", "Dragon Skin 20", Measured{8.331e4, 2.959, 4}, 3.4, ""),
	register("dragon_skin_30", "Dragon Skin 30", Measured{1.273e5, 2.83, 4}, 2.7, " Elsewhere 2 C1 = 307 kPa, 1.7 times the shear modulus at rest of this fit."),
	register("dragon_skin_fx_pro_slacker", "Dragon Skin FX Pro Slacker", Measured{2367, 2.193, 4}, 6.7, ""),
	register("dragon_skin_fx_pro", "Dragon Skin FX Pro", Measured{1.962e4, 2.747, 4}, 1.6, ""),
	register("ecoflex_00_10", "Ecoflex 00-10", Measured{4656, 2.762, 4}, 5.1, ""),
	register("ecoflex_00_30", "Ecoflex 00-30", Measured{1.245e4, 2.339, 4}, 2.4, " Sources differ by a factor of 2.2: published coefficients of Yeoh begin with 12.7 kPa and 17 kPa where this test has 7.6 kPa."),
	register("ecoflex_00_35_fast", "Ecoflex 00-35 FAST", Measured{1.789e4, 2.721, 4}, 1.7, ""),
	register("ecoflex_00_50", "Ecoflex 00-50", Measured{1.568e4, 2.496, 4}, 2.9, ""),
	register("mold_star_16_fast", "Mold Star 16 FAST", Measured{5.108e4, 2.951, 3.98}, 1.0, ""),
	register("mold_star_20t", "Mold Star 20T", Measured{6.926e4, 2.882, 3.98}, 1.1, ""),
	register("platsil_gel_10", "PlatSil Gel 10", Measured{3.87e4, 2.917, 4}, 4.1, ""),
	register("psycho_paint", "Psycho Paint", Measured{7.893e4, 2.776, 4}, 1.0, ""),
	register("rtv615", "RTV615", Measured{1.562e5, 3.485, 2.93}, 5.2, ""),
	register("rebound_25", "Rebound 25", Measured{6.288e4, 2.952, 4}, 1.5, ""),
	register("soloplast_150318", "SOLOPLAST 150318", Measured{4.407e4, 2.792, 4}, 1.5, ""),
	register("sortaclear_40", "SortaClear 40", Measured{1.866e5, 2.717, 4}, 1.8, ""),
	register("wagnersil_20_nf", "WAGNERSIL 20 NF", Measured{7.049e4, 3.187, 4}, 3.4, ""),
}
