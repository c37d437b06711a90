// Requests hundreds of pages in one packet, repeatedly, on one connection and on many.
//   VITRINE_DATA=… node bench/attacks/pipelined-requests.ts
import { connect } from "node:net";
import { runAttack } from "./attack.ts";

/** Duration of the attack in milliseconds. */
const ATTACK_MS = 20_000;
const paths = ["/search?q=a", "/", "/collections/all"];

await runAttack({ products: "100k" }, async ({ origin }) => {
  const lines: string[] = [];
  for (const [connections, requestsPerPacket] of [
    [1, 600],
    [50, 100],
  ] as const) {
    const end = performance.now() + ATTACK_MS;
    const flood = async (number: number): Promise<number> => {
      let answers = 0;
      while (performance.now() < end)
        answers += await sendPipeline(
          origin,
          paths[number % paths.length] ?? "/",
          requestsPerPacket,
          end - performance.now(),
        );
      return answers;
    };
    const answers = await Promise.all(Array.from({ length: connections }, (_, number) => flood(number)));
    const total = answers.reduce((sum, count) => sum + count, 0);
    lines.push(
      `${connections} connections of ${requestsPerPacket} requests a packet: ${Math.round(total / (ATTACK_MS / 1_000))} pages a second`,
    );
  }
  return lines;
});

/**
 * Sends pipelined requests on one connection.
 * @returns number of responses until all arrived, the connection closed, or the time was over
 */
function sendPipeline(origin: string, path: string, count: number, ms: number): Promise<number> {
  const { hostname, port, host } = new URL(origin);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    let answers = 0;
    const timer = setTimeout(() => socket.destroy(), ms);
    socket.setEncoding("latin1").on("data", (text: string) => {
      // A status line is rarely split between two chunks, so such responses are not counted.
      answers += text.split("HTTP/1.1 200").length - 1;
      if (answers >= count) socket.destroy();
    });
    socket
      .once("error", () => undefined)
      .once("close", () => {
        clearTimeout(timer);
        resolve(answers);
      });
    socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`.repeat(count));
  });
}
