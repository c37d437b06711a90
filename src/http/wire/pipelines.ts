import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { perObject } from "../../runtime/cache.ts";

/**
 * Handles the requests of one connection one at a time and in order. The next starts in an event loop iteration after
 * the previous response was sent, so that requests of other connections run in between.
 *
 * Node emits all requests of one read (64 KiB) at once. They wait here, and the connection is not read while more than
 * {@link MAX_WAITING} wait. If too many wait in the process, connections with more than that are closed.
 * @returns takes each request of the server when it arrives: its response, and the function that starts it
 */
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
      // Later, because Node continues to read until it has parsed what it read.
      if (pipeline.waiting.length === MAX_WAITING + 1) setImmediate(throttle, socket, pipeline);
    } else {
      socket.destroy();
    }
  };
}

interface Pipeline {
  /** Whether one of its requests is being answered. */
  isBusy: boolean;
  isPaused: boolean;
  readonly waiting: (() => void)[];
}

/** Requests that may wait on one connection before it is not read. */
const MAX_WAITING = 10;
/** Requests that may wait on all connections together, in addition: about 40 MB. */
const MAX_TOTAL = 10_000;

/** Node resumes reading after each request that it has finished, so this is called for each. */
function throttle(socket: Socket, pipeline: Pipeline): void {
  const isFull = pipeline.waiting.length > MAX_WAITING;
  if (isFull) socket.pause();
  else if (pipeline.isPaused) socket.resume();
  pipeline.isPaused = isFull;
}
