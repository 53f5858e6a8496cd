import { api } from "@roland1993/api";
import axios from "axios";

export const instance = axios.create({
  headers: { "Content-Type": "application/json; charset=utf-8" },
});

export const defineApi = (url) => api(url, instance);
