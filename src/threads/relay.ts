import { connect, createServer, type Server, type Socket } from "node:net";

/** Hands connections of one listener to event loops that listen in private places, where the system does not spread connections over several
 *  listeners of one port. Their bytes pass through this thread.
 *  @param nextPlace where the next connection goes; undefined: nobody is there */
export function createRelay(nextPlace: () => string | undefined): Server {
  return createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    const path = nextPlace();
    if (path === undefined) return void socket.destroy();
    const inner = connect({ path, allowHalfOpen: true });
    inner.write(`${socket.remoteAddress ?? ""}\n`);
    join(socket, inner);
    join(inner, socket);
  });
}

/** What one end says the other is told, and where one is gone the other is too. */
function join(from: Socket, to: Socket): void {
  from.pipe(to);
  from.once("error", () => from.destroy()).once("close", () => to.destroySoon());
}
