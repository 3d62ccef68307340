"""Constants of the kernels, written by ``tools/write_activation_coefficients.py``.

The polynomials have the least largest relative error; coefficients stand highest first. A pair is
the sum of its two floats.
"""

TABLE_END = float.fromhex("0x1.0000000000000p+3")
"""Beyond TABLE_END another kernel is used."""

POLE = float.fromhex("0x1.6000000000000p+2")
"""t = (a − POLE)/(a + POLE)."""

NARROW_POLE = float.fromhex("0x1.2000000000000p+2")
"""q = 1/(a + NARROW_POLE)."""

FAR_RATIO = (
    float.fromhex("0x1.a1bf1a491c67ep+25"),
    float.fromhex("-0x1.f3100f7d209c3p+22"),
    float.fromhex("0x1.58d8ef9a96455p+19"),
    float.fromhex("-0x1.9b2deaccfb943p+15"),
    float.fromhex("0x1.0281cd9424c59p+12"),
    float.fromhex("-0x1.78f018332672bp+8"),
    float.fromhex("0x1.4f1c0fcfb876bp+5"),
    float.fromhex("-0x1.7efc0ba57c100p+2"),
    float.fromhex("0x1.32633e6a7d1a1p+0"),
    float.fromhex("-0x1.9884533d40cedp-2"),
    float.fromhex("-0x1.b5bf912c916f2p-53"),
)
"""a·Φ(−a)·exp(a²/2) − DENSITY_AT_0 by powers of 1/a², for TABLE_END ≤ a ≤ 40, its error relative
to the sum. The largest relative error is 2**-56.6.
"""

NEAR_SLOPE = (
    float.fromhex("-0x1.c2c7bb9e50e35p-26"),
    float.fromhex("-0x1.8aead456f03a1p-23"),
    float.fromhex("-0x1.40fd981fe9f70p-22"),
    float.fromhex("0x1.202561bbf29c3p-21"),
    float.fromhex("-0x1.d9829267f5a42p-23"),
    float.fromhex("-0x1.b2eaa43352063p-18"),
    float.fromhex("0x1.43c2d03f4739bp-16"),
    float.fromhex("0x1.16c7a8ba065c1p-17"),
    float.fromhex("-0x1.214dd8a678e70p-12"),
    float.fromhex("0x1.564d5af3e5775p-10"),
    float.fromhex("-0x1.0cc2fa65d42bcp-8"),
    float.fromhex("0x1.4be895a906dcep-7"),
    float.fromhex("-0x1.57705a92a91ddp-6"),
    float.fromhex("0x1.339f593c0af6fp-5"),
    float.fromhex("-0x1.e695c704c848fp-5"),
    float.fromhex("0x1.58633275d07e0p-4"),
    float.fromhex("-0x1.ca07251d560b1p-2"),
)
"""GELU′(−a)·exp(a²/2)/(a − a₀) by powers of t, a₀ being GELU_ZERO. The largest relative error is
2**-54.2.
"""

NARROW_SLOPE = (
    float.fromhex("-0x1.92ea5a04f6732p+12"),
    float.fromhex("0x1.6df0746831e6dp+13"),
    float.fromhex("-0x1.c9a91f178beccp+12"),
    float.fromhex("0x1.e9ab06457dd27p+10"),
    float.fromhex("-0x1.be30f12501dc1p+8"),
    float.fromhex("0x1.0f41676177e37p+5"),
    float.fromhex("-0x1.0d8d6004003b7p+3"),
    float.fromhex("-0x1.edc83d8998678p-1"),
    float.fromhex("-0x1.39b33d74aedfcp-2"),
    float.fromhex("-0x1.986dc67fc7021p-2"),
)
"""GELU′(−a)·exp(a²/2)/(a − a₀) by powers of q, for narrow types. The largest relative error is
2**-31.5.
"""

DENSITY_AT_0 = float.fromhex("0x1.9884533d43651p-2")
"""1/√(2π)."""

GELU_ZERO = (
    float.fromhex("0x1.80ead197f00b4p-1"),
    float.fromhex("-0x1.13e74c58cada8p-56"),
)
"""GELU′ vanishes at minus this sum."""

TANH_ZERO = (
    float.fromhex("0x1.81429f9e97e4dp-1"),
    float.fromhex("-0x1.4f523ed77dbdcp-55"),
)
"""The slope of the tanh form vanishes at minus it."""

TANH_ZERO_POWER = float.fromhex("0x1.2af64e9c485eep-2")
"""exp(−v) there."""

SIGMOID_ZERO = (
    float.fromhex("0x1.80974a62be3dfp-1"),
    float.fromhex("-0x1.b12c858d26bf0p-55"),
)
"""The same for the sigmoid form."""

SIGMOID_ZERO_POWER = float.fromhex("0x1.1d25cf210482ep-2")
"""exp(−v) there."""

TANH_LINEAR_PAIR = (
    float.fromhex("0x1.9884533d43651p+0"),
    float.fromhex("-0x1.cbc0d30ebfd15p-54"),
)
"""2√(2/π) as a sum of two floats."""

TANH_CUBIC_PAIR = (
    float.fromhex("0x1.2444f2a4d8b4bp-4"),
    float.fromhex("-0x1.6c843a29d1c70p-61"),
)
"""2√(2/π)·0.044715 as a sum of two floats."""

SIGMOID_SCALE = (
    float.fromhex("0x1.b3b645a1cac08p+0"),
    float.fromhex("0x1.89374bc6a7efap-55"),
)
"""1.702 as a sum of two floats."""

TANH_LINEAR_SPLIT = (
    float.fromhex("0x1.9884533d40000p+0"),
    float.fromhex("0x1.b284687e59e28p-39"),
)
"""2√(2/π), split at 2**−37."""

TANH_CUBIC_SPLIT = (
    float.fromhex("0x1.2448000000000p-4"),
    float.fromhex("-0x1.86ad93a5a85b2p-19"),
)
"""2√(2/π)·0.044715, split at 2**−17."""

SIGMOID_SCALE_SPLIT = (
    float.fromhex("0x1.b3b645a000000p+0"),
    float.fromhex("0x1.cac083126e979p-32"),
)
"""1.702, split at 2**−27."""
