export { useRequest } from "vue-request";
