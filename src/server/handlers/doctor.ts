import type { App } from '../../core/app.ts';
import type { doctorApi } from '../../core/contract/doctor.ts';
import type { Handlers } from './context.ts';

export function doctorHandlers({ doctor }: App): Handlers<typeof doctorApi> {
  return {
    examine: async (_input, { language }) => {
      const items = (await doctor.examine()).map(({ id, title, level, message, mend }) => ({
        id,
        title: title[language],
        level,
        message: message[language],
        mend: mend[language],
      }));
      return { items, total: items.length };
    },
  };
}
