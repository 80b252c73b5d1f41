// Search fields of the admin (Select2) get the names of their labels, which it leaves out.
addEventListener("load", () => {
  for (const label of document.querySelectorAll("label[for]")) {
    const shown = document.getElementById(`select2-${label.htmlFor}-container`);
    if (!shown) continue;
    const text = label.textContent.trim().replace(/:$/, "");
    shown.setAttribute("aria-label", text);
    shown.closest("[role=combobox]").setAttribute("aria-label", text);
  }
});
