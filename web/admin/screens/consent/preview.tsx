import type { ConsentSettings } from '../../api/types.ts';

const PLACES: Record<ConsentSettings['position'], string> = {
  bottom: 'end center',
  top: 'start center',
  'bottom-left': 'end start',
  'bottom-right': 'end end',
  'top-left': 'start start',
  'top-right': 'start end',
  center: 'center center',
};

/** What a visitor would see, about as they would see it. */
export function BannerPreview({ consent }: { consent: ConsentSettings }) {
  const isWide = consent.position === 'bottom' || consent.position === 'top';
  return (
    <section className="preview" aria-label="Preview of the banner">
      <div className="preview-bar" aria-hidden="true">
        <i />
        <i />
        <i />
      </div>
      <div className="preview-page" style={{ placeItems: PLACES[consent.position] }}>
        {consent.enabled ? (
          <div className="preview-banner" style={{ width: isWide ? '100%' : 'min(100%, 19rem)' }}>
            <strong>{consent.title}</strong>
            <p>
              {consent.message} <u>{consent.privacy_text}</u>
            </p>
            <ul className="plain">
              {consent.categories.map(({ id, label, required }) => (
                <li key={id}>
                  <span aria-hidden="true">{required ? '☑' : '☐'}</span> {label}
                  {required && <small> {consent.required_text}</small>}
                </li>
              ))}
            </ul>
            <div className="row">
              <span className="preview-button">{consent.accept_text}</span>
              <span className="preview-button">{consent.reject_text}</span>
              <span className="preview-button plain-button">{consent.manage_text}</span>
            </div>
          </div>
        ) : (
          <p className="preview-off">The banner is off. What waits for consent stays blocked.</p>
        )}
      </div>
    </section>
  );
}
