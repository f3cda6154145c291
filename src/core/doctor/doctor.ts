/** Examines the site: every check, one after the other. */
import type { Text } from '../kernel/text.ts';
import type { Check, DoctorDeps, Level } from './check.ts';
import { databaseChecks } from './database-checks.ts';
import { folderChecks } from './folder-checks.ts';
import { routingChecks } from './routing-checks.ts';
import { siteChecks } from './site-checks.ts';

/** A line of the report. `mend` is empty where nothing is to be done. */
export interface Examined {
  readonly id: string;
  readonly title: Text;
  readonly level: Level;
  readonly message: Text;
  readonly mend: Text;
}

export interface Doctor {
  examine(): Promise<readonly Examined[]>;
}

export const checks: readonly Check[] = [...folderChecks, ...databaseChecks, ...siteChecks, ...routingChecks];
const nothing: Text = { en: '', zh: '' };

export function createDoctor(deps: DoctorDeps): Doctor {
  const examineOne = async ({ id, title, run }: Check): Promise<readonly Examined[]> => {
    try {
      const found = await run(deps);
      if (found.length === 0) return [{ id, title, level: 'ok', message: nothing, mend: nothing }];
      return found.map((finding) => ({ id, title, ...finding }));
    } catch (error) {
      const cause = error instanceof Error ? error.message : String(error);
      const message = { en: `The check failed: ${cause}`, zh: `检查失败：${cause}` };
      const mend = { en: 'See the process log', zh: '请查看进程日志' };
      return [{ id, title, level: 'problem', message, mend }];
    }
  };
  return {
    async examine() {
      const report: Examined[] = [];
      for (const check of checks) report.push(...(await examineOne(check)));
      return report;
    },
  };
}
