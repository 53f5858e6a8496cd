export { PiniaColada, useQuery } from "@pinia/colada";
