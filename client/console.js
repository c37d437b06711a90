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
