import { languages } from '../../vocabulary/languages.ts';
import {
  addressOption,
  booleanOption,
  choiceOption,
  integerOption,
  secretOption,
} from '../define.ts';

const general = { panel: 'operation.general' } as const;
const worker = { panel: 'system.worker' } as const;
const legacy = { panel: 'other.legacy', built: false, default: 0, bounds: { min: 0 } } as const;

/** Server settings, and the mode in which the site is operated. */
export const systemOptions = {
  ServerAddress: addressOption({ panel: 'system.server', default: '', status: 'server_address' }),
  /**
   * Of callers who name no language, and of everything that is stored or sent as text
   * (docs/rules/options.md#site-language).
   */
  SiteLanguage: choiceOption({ panel: 'system.server', default: languages[0], choices: languages }),
  'general_setting.docs_link': addressOption({
    ...general,
    default: '',
    strip: false,
    status: 'docs_link',
  }),
  DefaultCollapseSidebar: booleanOption({
    ...general,
    default: false,
    status: 'default_collapse_sidebar',
  }),
  DemoSiteEnabled: booleanOption({ ...general, default: false, status: 'demo_site_enabled' }),
  SelfUseModeEnabled: booleanOption({
    ...general,
    default: false,
    status: 'self_use_mode_enabled',
  }),

  /** A worker through which files are fetched (docs/rules/relay.md#file-fetch). */
  WorkerUrl: addressOption({ ...worker, default: '' }),
  WorkerValidKey: secretOption(worker),

  // Stored for compatibility with One API / New API databases; without effect
  // (docs/rules/options.md#not-built).
  FileUploadPermission: integerOption(legacy),
  FileDownloadPermission: integerOption(legacy),
  ImageUploadPermission: integerOption(legacy),
  ImageDownloadPermission: integerOption(legacy),
};
