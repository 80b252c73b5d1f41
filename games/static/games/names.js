// Search fields of the admin (Select2) get the names of their labels, which it leaves out.
function name() {
  for (const label of document.querySelectorAll("label[for]")) {
    const shown = document.getElementById(`select2-${label.htmlFor}-container`);
    if (!shown) continue;
    const text = label.textContent.trim().replace(/:$/, "");
    shown.setAttribute("aria-label", text);
    shown.closest("[role=combobox]").setAttribute("aria-label", text);
  }
}

// After the admin's own script has made the fields: what waits for the page is called in order.
if (window.django && window.django.jQuery) window.django.jQuery(name);
