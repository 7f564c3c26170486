import { LinkButton } from '../../components/link-button.tsx';
import { Fixed } from './environment.tsx';

/** The allowed origins, which have a screen of their own. */
export const OriginsCard = ({ allowed }: { allowed: readonly string[] }) => (
  <section className="fields card" aria-labelledby="origins">
    <h2 id="origins" style={{ margin: 0 }}>
      Allowed origins
    </h2>
    <p className="soft" style={{ margin: 0 }}>
      Pages of these origins may show the banner and record consent. Scheme, host and port, for
      example https://shop.example.com. Up to 100. Default: none beside those of the environment.
    </p>
    {allowed.length > 0 ? (
      <ul>
        {allowed.map((origin) => (
          <li className="break" key={origin}>
            {origin}
          </li>
        ))}
      </ul>
    ) : (
      <p style={{ margin: 0 }}>No origins added.</p>
    )}
    <Fixed names={['PAVIS_ALLOWED_ORIGINS']} />
    <div>
      <LinkButton variant="default" to="/banner/origins">
        Edit allowed origins
      </LinkButton>
    </div>
  </section>
);
