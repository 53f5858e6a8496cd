import axios from "axios";
import { version } from "vue";
import { printTable } from "../../test_support/bench/table.ts";
import { benchHeap } from "./heap.ts";
import { printPeers } from "./peers/print_peers.ts";
import { benchRatio } from "./ratio.ts";
import { benchSize } from "./size.ts";

const rows = [...await benchRatio(), ...await benchHeap(), ...await benchSize()];
printTable(rows, [`axios ${axios.VERSION}`, `vue ${version}`]);
await printPeers();
