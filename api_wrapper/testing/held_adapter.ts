import axios, {
  AxiosError,
  type AxiosInstance,
  type AxiosResponse,
  CanceledError,
  type InternalAxiosRequestConfig,
} from "axios";

/** A request that waits for the test to settle it. */
export interface HeldRequest {
  readonly config: InternalAxiosRequestConfig;
  answer(data?: unknown): void;
  fail(message: string): void;
}

/** An axios instance whose requests the test settles, in any order. */
export interface HeldAdapter {
  readonly instance: AxiosInstance;
  /** Every request received so far. */
  readonly held: readonly HeldRequest[];
}

/** Creates an instance that sends nothing: each request waits, and ends when its signal aborts. */
export function createHeldAdapter(): HeldAdapter {
  const held: HeldRequest[] = [];
  const adapter = (config: InternalAxiosRequestConfig) => {
    const { promise, resolve, reject } = Promise.withResolvers<AxiosResponse>();
    const response = { status: 200, statusText: "OK", headers: {}, config };
    config.signal?.addEventListener?.("abort", () => reject(new CanceledError(undefined, config)));
    held.push({
      config,
      answer: (data) => resolve({ ...response, data }),
      fail: (message) => reject(new AxiosError(message, "ERR_NETWORK", config)),
    });
    return promise;
  };
  return { instance: axios.create({ adapter }), held };
}

/** Lets every promise that can settle do so. */
export function settle(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}
