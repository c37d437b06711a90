import { connect, createServer, type Socket } from "node:net";
import { closeServer, listenAt } from "../../src/runtime/listen.ts";

/**
 * A proxy before PostgreSQL that rejects what PgBouncer rejects in transaction mode: connections with session settings.
 */
export interface Pooler {
  readonly port: number;
  close(): Promise<void>;
}

/** Startup parameters that PgBouncer accepts. */
const allowed = new Set([
  "user",
  "database",
  "application_name",
  "client_encoding",
  "DateStyle",
  "TimeZone",
  "standard_conforming_strings",
]);

export async function startPooler(targetPort: number): Promise<Pooler> {
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    sockets.add(client);
    client.on("error", () => {});
    let first = Buffer.alloc(0);
    client.on("data", function onStartup(chunk: Buffer) {
      first = Buffer.concat([first, chunk]);
      if (first.length < 4 || first.length < first.readInt32BE(0)) return;
      client.off("data", onStartup);
      // Length, version, then names and values, each ending in a zero byte.
      const words = first.toString("utf8", 8, first.readInt32BE(0)).split("\0");
      const rejectedSetting = words.filter((word, index) => index % 2 === 0 && word !== "" && !allowed.has(word))[0];
      if (rejectedSetting !== undefined) {
        client.end(errorMessage(`unsupported startup parameter: ${rejectedSetting}`));
        return;
      }
      const target = connect(targetPort, "127.0.0.1");
      sockets.add(target);
      target.on("error", () => client.destroy());
      target.write(first);
      client.pipe(target).pipe(client);
    });
  });
  const { port } = new URL(await listenAt(server, { port: 0, host: "127.0.0.1" }));
  return {
    port: Number(port),
    close() {
      for (const socket of sockets) socket.destroy();
      return closeServer(server);
    },
  };
}

/** PostgreSQL's ErrorResponse, as PgBouncer sends it. */
function errorMessage(text: string): Buffer {
  const fields = Buffer.from(`SFATAL\0C08P01\0M${text}\0\0`);
  const head = Buffer.from("E\0\0\0\0", "latin1");
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}
