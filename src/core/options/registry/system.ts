import { addressOption, booleanOption, integerOption, secretOption } from '../define.ts';

const general = { panel: 'operation.general' } as const;
const worker = { panel: 'system.worker' } as const;
const legacy = { panel: 'other.legacy', built: false, default: 0, bounds: { min: 0 } } as const;

/** The server itself and how the site is used (seed, administration 2 and 3). */
export const systemOptions = {
  ServerAddress: addressOption({ panel: 'system.server', default: '', status: 'server_address' }),
  'general_setting.docs_link': addressOption({ ...general, default: '', strip: false, status: 'docs_link' }),
  DefaultCollapseSidebar: booleanOption({ ...general, default: false, status: 'default_collapse_sidebar' }),
  DemoSiteEnabled: booleanOption({ ...general, default: false, status: 'demo_site_enabled' }),
  SelfUseModeEnabled: booleanOption({ ...general, default: false, status: 'self_use_mode_enabled' }),

  /** Files are fetched through it where an operator has one (spec, relay 19). */
  WorkerUrl: addressOption({ ...worker, default: '' }),
  WorkerValidKey: secretOption(worker),

  // Stored for databases of the family; nothing reads them (console-api 5.2).
  FileUploadPermission: integerOption(legacy),
  FileDownloadPermission: integerOption(legacy),
  ImageUploadPermission: integerOption(legacy),
  ImageDownloadPermission: integerOption(legacy),
};
