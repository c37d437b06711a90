import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { perObject } from "../../runtime/cache.ts";

/** Requests of one connection, one at a time and in their order; the next begins a turn of the event loop after the answer before it has
 *  left, so that other connections' requests come in between.
 *
 *  Node hands over every request that one read of a connection brought, 64 KiB of them, at once. They wait here, and the connection is not read
 *  while more than {@link MAX_WAITING} do; where too many wait in the whole process, connections that brought more than that are cut.
 *  @returns takes each request of the server as it arrives: its answer, and what begins it */
export function createPipelines(): (socket: Socket, response: ServerResponse, begin: () => void) => void {
  let total = 0;

  const pipelineOf = perObject((socket: Socket): Pipeline => {
    const pipeline: Pipeline = { isBusy: false, isPaused: false, waiting: [] };
    socket.once("close", () => {
      total -= pipeline.waiting.splice(0).length;
    });
    return pipeline;
  });
  const next = (socket: Socket, pipeline: Pipeline): void => {
    const begin = pipeline.waiting.shift();
    if (begin === undefined) return;
    total -= 1;
    throttle(socket, pipeline);
    begin();
  };
  return (socket, response, begin) => {
    const pipeline = pipelineOf(socket);
    response.once("close", () => {
      if (pipeline.waiting.length === 0) pipeline.isBusy = false;
      else setImmediate(next, socket, pipeline);
    });
    if (!pipeline.isBusy) {
      pipeline.isBusy = true;
      begin();
    } else if (pipeline.waiting.length < MAX_WAITING || total < MAX_TOTAL) {
      pipeline.waiting.push(begin);
      total += 1;
      // Later, as node reads on by itself until it has taken apart what it read.
      if (pipeline.waiting.length === MAX_WAITING + 1) setImmediate(throttle, socket, pipeline);
    } else {
      socket.destroy();
    }
  };
}

interface Pipeline {
  /** A request of it is being answered. */
  isBusy: boolean;
  isPaused: boolean;
  readonly waiting: (() => void)[];
}

/** Requests that wait on one connection before it is read no further. */
const MAX_WAITING = 10;
/** Requests that wait on all connections together, beside those: some 40 MB. */
const MAX_TOTAL = 10_000;

/** Node goes on reading after each request it has done with, so this is said again for each. */
function throttle(socket: Socket, pipeline: Pipeline): void {
  const isFull = pipeline.waiting.length > MAX_WAITING;
  if (isFull) socket.pause();
  else if (pipeline.isPaused) socket.resume();
  pipeline.isPaused = isFull;
}
