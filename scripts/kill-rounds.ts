/** `npm run test:kill [-- ROUNDS] [--outsiders]`: kill -9 under load; default fifty rounds. */
import { killUnderLoad } from '../test/support/kill-rounds.ts';

const [rounds = '50'] = process.argv.slice(2).filter((argument) => argument !== '--outsiders');
const report = await killUnderLoad(Number(rounds), process.argv.includes('--outsiders'));
process.stdout.write(`${JSON.stringify(report)}\n`);
const { unbilled, lost, drifted, uncounted, missing, unlocked, finished } = report;
process.exit(
  unbilled + lost + drifted + uncounted + missing.length + unlocked === 0 && finished > 0 ? 0 : 1,
);
