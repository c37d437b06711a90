// The package unpacks the system libraries it needs only where it believes to be on AWS; to be set before it is loaded.
process.env.AWS_LAMBDA_JS_RUNTIME = "nodejs22.x";
const { default: chromium } = await import("@sparticuz/chromium");

/** Where the browser is. The first on a machine who asks unpacks it; what is still being written cannot be started, so tests in the browser
 *  share one process. */
export function browserPath(): Promise<string> {
  return chromium.executablePath();
}
