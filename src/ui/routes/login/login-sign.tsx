/** The interchange: one road in, an exit for each protocol the gateway speaks. */
import { useTranslation } from 'react-i18next';
import { logoFiles } from '../../components/provider-logo-files.ts';
import { RoadSign } from '../../components/road-sign.tsx';
import classes from './login-sign.module.css';

/** The doors clients come in by (design, product 1): facts, not offers. */
const exits = [
  { name: 'OpenAI Chat', path: '/v1/chat/completions', logo: logoFiles.openai },
  { name: 'Anthropic', path: '/v1/messages', logo: logoFiles.claude },
  { name: 'Gemini', path: '/v1beta/models', logo: logoFiles.gemini },
  { name: 'OpenAI Responses', path: '/v1/responses', logo: logoFiles.openai },
] as const;

export function LoginSign() {
  const { t } = useTranslation();
  return (
    <RoadSign width={620}>
      <h2 className={classes.title}>{t('login.sign.title')}</h2>
      <p className={classes.subtitle}>{t('login.sign.subtitle')}</p>
      <div className={classes.interchange}>
        <svg className={classes.road} viewBox="0 0 100 450" width="100" height="450" aria-hidden="true" focusable="false">
          <path d="M18 450V24" stroke="#fff" strokeWidth="12.5" />
          <path d="M18 0 36 30H0Z" fill="#fff" />
          {[110, 194, 278].map((y) => (
            <g key={y}>
              <path d={`M18 ${y + 44}C18 ${y + 14} 34 ${y} 58 ${y}H74`} stroke="#fff" strokeWidth="8" fill="none" />
              <path d={`M72 ${y - 14} 98 ${y} 72 ${y + 14}Z`} fill="#fff" />
            </g>
          ))}
          <path d="M18 450V374" stroke="var(--tp-sign)" strokeWidth="2" strokeDasharray="8 6" />
        </svg>
        <ul className={classes.exits}>
          {exits.map((exit) => (
            <li key={exit.name}>
              <i
                className={classes.logo}
                style={{ maskImage: `url("${exit.logo.url}")`, WebkitMaskImage: `url("${exit.logo.url}")` }}
                aria-hidden="true"
              />
              <b>{exit.name}</b>
              <code>{exit.path}</code>
            </li>
          ))}
        </ul>
        <p className={classes.app}>
          <b>{t('login.sign.app')}</b>
          <span>{t('login.sign.app.hint')}</span>
        </p>
      </div>
    </RoadSign>
  );
}
