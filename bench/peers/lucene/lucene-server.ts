import { serverCore } from "../../http/run-load.ts";
import { onCore, stopServer } from "../../store.ts";
import { explainMissingPeer, luceneCommand, peers } from "../peers.ts";
import { type SearchServer, type ServerPeer, sendChange, start } from "../search-server.ts";

/** Lucene behind the HTTP server of the JDK. */
export const luceneServer: ServerPeer = {
  title: `${peers.lucene.title} behind the JDK's HTTP server`,
  explainMissing: () => explainMissingPeer("lucene"),
  async open(documents, folder): Promise<SearchServer> {
    const command = luceneCommand("peers.HttpPeer", ["-Dsun.net.httpserver.nodelay=true"]);
    const child = start(onCore(serverCore, [...command, "lucene", documents, "en", folder]));
    const port = await new Promise<number>((resolve, reject) => {
      child.stdout?.once("data", (chunk) => resolve(Number(String(chunk))));
      child.once("exit", () => reject(new Error("the Lucene server ended before it answered")));
    });
    return {
      port,
      pid: child.pid ?? 0,
      path: (text, kind) => `/${kind}?${encodeURIComponent(text)}`,
      idsOf: (body) => (JSON.parse(body) as readonly { readonly id: string }[]).map(({ id }) => id),
      changeTitle({ key, values }, title) {
        const [, ...others] = values.map((texts) => texts.join(" "));
        return sendChange(`http://127.0.0.1:${port}/`, {
          method: "PUT",
          body: [key, "1", "0", title, ...others].join("\t"),
        });
      },
      close: () => stopServer(child),
    };
  },
};
