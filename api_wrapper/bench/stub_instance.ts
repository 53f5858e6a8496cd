import axios, { type AxiosInstance, type InternalAxiosRequestConfig } from "axios";

/** An axios instance whose requests end at once, without a network. */
export function createStubInstance(): AxiosInstance {
  const adapter = (config: InternalAxiosRequestConfig) =>
    Promise.resolve({ data: "{}", status: 200, statusText: "OK", headers: {}, config });
  return axios.create({ adapter });
}
