// `scripts/test.ts` loads this module first. Node's test runner follows every promise and handle with asynchronous hooks
// in order to know to which test code belongs. The hooks take a fifth of the processor time of the tests. With this
// module, the runner reads the test from an asynchronous context instead, which V8 passes on without hooks.
import asyncHooks, { AsyncLocalStorage, type HookCallbacks } from "node:async_hooks";
import { isMainThread } from "node:worker_threads";

const { createHook, executionAsyncId, AsyncResource } = asyncHooks;
/** Asynchronous id of the test to which the code belongs. */
const currentTest = new AsyncLocalStorage<number>();
let onTestCreated: HookCallbacks["init"];

/** Base class of the runner's tests. */
class TestResource extends AsyncResource {
  constructor(...args: ConstructorParameters<typeof AsyncResource>) {
    super(...args);
    onTestCreated?.(this.asyncId(), args[0], this.triggerAsyncId(), this);
  }

  override runInAsyncScope<This, Result>(
    run: (this: This, ...args: never[]) => Result,
    thisArg: This,
    ...args: never[]
  ): Result {
    return super.runInAsyncScope(() => currentTest.run(this.asyncId(), () => run.apply(thisArg, args)));
  }
}

// Threads run no tests.
if (isMainThread) {
  Object.assign(asyncHooks, {
    createHook({ init }: HookCallbacks) {
      return {
        enable() {
          onTestCreated = init;
        },
        disable() {},
      };
    },
    executionAsyncId: () => currentTest.getStore() ?? executionAsyncId(),
    AsyncResource: TestResource,
  });
  await import("node:test");
  // Other code gets the functions of Node.
  Object.assign(asyncHooks, { createHook, executionAsyncId, AsyncResource });
}
