import assert from "node:assert/strict";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { after, test } from "node:test";
import { createApiToken, runCommand } from "../support/command.ts";
import { logIn } from "../support/console.ts";
import { placeOrder } from "../support/orders.ts";
import { startShop, type TestShop } from "../support/shop.ts";
import { until } from "../support/until.ts";

/** Behavior of the mail server. Only "takes" accepts messages. */
type Mood = "takes" | "greylists" | "hangs in DATA" | "closes in DATA" | "drips";

let now = Date.now();
let mood: Mood = "takes";
const takenMails: string[] = [];
const openSockets = new Set<Socket>();

/** A minimal SMTP server that misbehaves. */
const server = createServer((socket) => {
  let waiting = "";
  let letter: string | undefined;
  openSockets.add(socket);
  const say = (line: string): void => void socket.write(`${line}\r\n`);
  const drip = setInterval(() => {
    if (mood === "drips") say("250-a moment");
  }, 20);
  socket.on("error", () => undefined);
  socket.on("close", () => {
    clearInterval(drip);
    openSockets.delete(socket);
  });
  socket.on("data", (chunk) => {
    waiting += chunk.toString("latin1");
    for (let end = waiting.indexOf("\r\n"); end !== -1; end = waiting.indexOf("\r\n")) {
      const line = waiting.slice(0, end);
      waiting = waiting.slice(end + 2);
      if (letter === undefined) answer(line);
      else if (line !== ".") letter += `${line}\n`;
      else if (mood === "closes in DATA") socket.destroy();
      else if (mood !== "hangs in DATA") {
        takenMails.push(letter);
        letter = undefined;
        say("250 taken");
      }
    }
  });
  const answer = (line: string): void => {
    if (mood === "drips") return;
    const verb = line.slice(0, 4).toUpperCase();
    if (verb === "DATA") letter = "";
    if (verb === "QUIT") socket.end("221 bye\r\n");
    else if (verb === "RCPT" && mood === "greylists") say("451 4.7.1 Greylisted, come again in 5 minutes");
    else say(verb === "DATA" ? "354 go on" : "250 fine");
  };
  say("220 mail.example ESMTP");
});
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
after(() => server.close());
const { port } = server.address() as AddressInfo;

const start = (timeout: number): Promise<TestShop> =>
  startShop({
    now: () => now,
    hasTheme: false,
    config: {
      console: true,
      origin: "https://shop.example",
      mail: { smtp: `smtp://127.0.0.1:${port}`, from: "mail@shop.example", newOrders: false },
      events: { timeout },
    },
  });

const shop = await start(500);
const waitingOf = async (): Promise<string> => (await runCommand(shop, "events", "list", "--waiting")).out;
const lettersTo = (address: string): number =>
  takenMails.filter((letter) => letter.includes(`\nTo: ${address}\n`)).length;

const moodMessages: readonly (readonly [Mood, RegExp])[] = [
  ["greylists", /451 4\.7\.1 Greylisted, come again in 5 minutes/],
  ["hangs in DATA", /Timeout/],
  ["closes in DATA", /closed/i],
  ["drips", /did not accept the mail within/],
];

for (const [kind, failure] of moodMessages) {
  test(`a mail server that ${kind} gets each mail once after recovery, and the console shows the error before`, async () => {
    mood = kind;
    const address = `${kind.replaceAll(" ", ".")}@example.com`;
    await placeOrder(shop.client(), address);
    let lastWaiting = "";
    await until(async () => {
      const waiting = await waitingOf();
      if (failure.test(waiting)) return true;
      // On a busy machine, an earlier step of the conversation may exceed its time limit. Then the mail is sent again.
      if (waiting !== lastWaiting && /timeout|greeting/i.test(waiting)) now += 3_600_000;
      lastWaiting = waiting;
      return false;
    }, `${kind} is noted`);
    const console = shop.client();
    const headers = { "content-type": "application/x-www-form-urlencoded", origin: "https://shop.example" };
    const token = await createApiToken(shop, "console");
    await console.send("POST", "/admin/login", { headers, body: new URLSearchParams({ token }).toString() });
    const page = await console.get("/admin/events");
    assert.match(page.text, /order\.created/);
    assert.match(page.text, failure);
    await until(() => openSockets.size === 0, "no conversation stays open");
    assert.equal(lettersTo(address), 0);
    mood = "takes";
    now += 3_600_000;
    await until(async () => (await waitingOf()) === "", "the queue is empty");
    assert.equal(lettersTo(address), 1);
  });
}

test("the checks of the console and of doctor end although a mail server drips, and report it", async () => {
  mood = "drips";
  const { client } = await logIn(shop, await createApiToken(shop, "console"));
  assert.match((await client.get("/admin")).text, /127\.0\.0\.1:\d+/);
  assert.match((await runCommand(shop, "doctor")).out, /mail: warning: 127\.0\.0\.1:\d+ does not accept email/);
  await until(() => openSockets.size === 0, "no conversation stays open");
});

test("a shutdown does not wait for a hanging mail server, and keeps its mail", async () => {
  mood = "hangs in DATA";
  const patient = await start(60_000);
  await placeOrder(patient.client(), "stop@example.com");
  await until(() => openSockets.size === 1, "a conversation");
  await patient.app.close();
  await until(() => openSockets.size === 0, "its end");
  assert.match((await runCommand(patient, "events", "list", "--waiting")).out, /order\.created/);
});
