"""Texts that a spreadsheet, a separator, XML or a careless reader could change."""

from hypothesis import strategies as st

HOSTILE = [
    "=1+1",
    '=HYPERLINK("x";"y")',
    "+3",
    "-5",
    "@sum",
    "＝1",
    "\t=1",
    "\r=1",
    "\n=1",
    " =1",
    "'=1",
    "''=1",
    "'t Hart",
    "Ann;=1+1",
    "Ann,-1",
    "1,-2",
    "007",
    "1e5",
    "1/3",
    "1-2",
    "12:30",
    "2.5%",
    "true",
    "_x000D_",
    "_x005F_x000D_",
    "a\rb\r\nc\nd",
    '"',
    'a"b',
    "<b>&amp;",
    "]]>",
    "\x01\x1f",
    "\ufffe",
    "\ufeff",
    "\u202e",
    "日本",
    "😀",
    "  two  ",
    "#REF!",
]

texts = st.one_of(
    st.sampled_from(HOSTILE),
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")),
    st.text("'=+-@;,\t\r\n 17/.eE_x0D"),
)
"""Any text, but for what PostgreSQL does not hold either."""
