// Updates the results of the search preview while the merchant types. Without this script, a button submits the form.
const form = document.getElementById("try");

if (form !== null) {
  let latestRequest = 0;
  let timer;
  const show = async () => {
    latestRequest += 1;
    const requestNumber = latestRequest;
    const address = `${form.action}?${new URLSearchParams(new FormData(form))}`;
    const answer = await fetch(address, { headers: { accept: "text/html" } });
    if (!answer.ok || answer.redirected || requestNumber !== latestRequest) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const results = page.getElementById("results");
    if (results === null || requestNumber !== latestRequest) return;
    document.getElementById("results")?.replaceWith(results);
    history.replaceState(null, "", address);
  };
  form.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(() => show().catch(() => {}), 150);
  });
}

const printButton = document.getElementById("print");

if (printButton !== null) {
  printButton.hidden = false;
  printButton.addEventListener("click", () => print());
}

// A session expires after some hours, also while a form is open. If the form was sent afterwards, its page fills in the
// changed fields again after the next login.
const UNSENT_INPUT = "unsent-input";
const isLoginPage = location.pathname.startsWith("/admin/login");
const pagePath = location.pathname + location.search;

/** Returns the fields that a user can change. Passwords are never stored. */
const listFields = () => [
  ...document.querySelectorAll(
    "main form :is(select, textarea, input:not([type=hidden], [type=password], [type=file]))",
  ),
];
const readValue = (field) => (/^(?:checkbox|radio)$/.test(field.type) ? field.checked : field.value);
const readDefault = (field) => {
  if (/^(?:checkbox|radio)$/.test(field.type)) return field.defaultChecked;
  if (field.options === undefined) return field.defaultValue;
  return ([...field.options].find((option) => option.defaultSelected) ?? field.options[0])?.value;
};

if (isLoginPage) {
  const input = sessionStorage.getItem(UNSENT_INPUT);
  if (input !== null) sessionStorage.setItem(UNSENT_INPUT, JSON.stringify({ ...JSON.parse(input), isRejected: true }));
} else {
  const { path, isRejected, values } = JSON.parse(sessionStorage.getItem(UNSENT_INPUT) ?? "{}");
  sessionStorage.removeItem(UNSENT_INPUT);
  if (isRejected && path === pagePath) {
    const fields = listFields();
    for (const { index, name, initial, value } of values) {
      const field = fields[index];
      // A value that someone else changed meanwhile stays.
      if (field?.name !== name || readDefault(field) !== initial) continue;
      field[typeof value === "boolean" ? "checked" : "value"] = value;
    }
  }
  addEventListener("submit", ({ target }) => {
    const values = listFields().flatMap((field, index) => {
      const [initial, value] = [readDefault(field), readValue(field)];
      return field.form === target && initial !== value ? [{ index, name: field.name, initial, value }] : [];
    });
    if (target.method === "post") sessionStorage.setItem(UNSENT_INPUT, JSON.stringify({ path: pagePath, values }));
  });
}
