// @ts-check
import { defineApi } from "../define_api.js";

/** @typedef {{ name: string }} User */

const http = defineApi("/users");

export const users = {
  /** @returns {Promise<import("axios").AxiosResponse<User[]>>} */
  list: () => http.get(),
};
