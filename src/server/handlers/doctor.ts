import type { App } from '../../core/app.ts';
import type { doctorApi } from '../../core/contract/doctor.ts';
import type { Handlers } from './context.ts';

export function doctorHandlers({ doctor }: App): Handlers<typeof doctorApi> {
  return {
    examine: async ({ clock_channel }, { language }) => {
      const items = (await doctor.examine(clock_channel)).map(
        ({ id, title, level, message, why, mend }) => ({
          id,
          title: title[language],
          level,
          message: message[language],
          why: why[language],
          mend: mend[language],
        }),
      );
      return { items, total: items.length };
    },
  };
}
