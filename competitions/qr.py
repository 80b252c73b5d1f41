"""QR codes as inline SVG: a slip of paper that leads to its own page. Pure."""

import segno


def qr_svg(address: str, *, title: str = "", side: int = 4) -> str:
    """The address as a QR code, ready to stand inside an HTML page: no script, no style, no file of its own.

    `side`: of one square, in CSS pixels. They are black on white whatever the page's colours, with the margin of four
    squares that readers need, at error correction M, so that a stain does no harm. `title` is for those who cannot see
    it. Raise ValueError for an address that is too long (about 2,300 bytes).
    """
    try:
        code = segno.make_qr(address, error="m", boost_error=False)
    except segno.DataOverflowError as error:
        raise ValueError("The address is too long for a QR code.") from error
    return code.svg_inline(
        scale=side, border=4, dark="#000", light="#fff", title=title or None, svgclass="qr", lineclass=None
    )
