import { type Browser, chromium } from "playwright-core";
import { hasProgram, SERVICES } from "../services.ts";

/** A bound, not an expectation. */
const DEADLINE_MS = 120_000;

const { program, instead = program } = SERVICES.chromium;

/**
 * The program of Chromium without windows, and its arguments, for test runners that start a browser
 * of their own. Contexts and pages of it take less than half of the time that those of the program
 * with windows take, which has the same engine and is used where only it is installed.
 */
export const CHROMIUM = {
  executablePath: `/usr/bin/${hasProgram(program) ? program : instead}`,
  args: ["--no-sandbox"],
};

/**
 * Starts Chromium, whose deadline suits a busy machine:
 * `await using browser = await launchChromium()`.
 */
export function launchChromium(): Promise<Browser> {
  return chromium.launch({ ...CHROMIUM, timeout: DEADLINE_MS });
}
