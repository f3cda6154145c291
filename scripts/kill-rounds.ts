/** `npm run test:kill [-- ROUNDS]`: kill -9 under load; default fifty rounds. */
import { killUnderLoad } from '../test/support/kill-rounds.ts';

const report = await killUnderLoad(Number(process.argv[2] ?? 50));
process.stdout.write(`${JSON.stringify(report)}\n`);
process.exit(report.unbilled + report.lost + report.drifted + report.uncounted === 0 && report.finished > 0 ? 0 : 1);
