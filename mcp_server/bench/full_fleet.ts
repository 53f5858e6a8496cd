import { inTurns, median } from "../../test_support/bench/in_turns.ts";
