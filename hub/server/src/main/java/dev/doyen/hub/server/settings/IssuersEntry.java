package dev.doyen.hub.server.settings;

import dev.doyen.hub.auth.TrustedIssuer;
import dev.doyen.hub.server.issuers.IssuerSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The section of the settings file about trusted token issuers. */
final class IssuersEntry {

    static final String SECTION = "token-issuers";
    private static final int MAX_ISSUERS = 10;

    private IssuersEntry() {}

    static List<IssuerSource> of(Entry entry) throws SettingsException {
        var items = entry.list("a list of token issuers, each with name, jwks and capability");
        if (items.size() > MAX_ISSUERS) {
            throw entry.refusal("has " + items.size() + " issuers; give at most " + MAX_ISSUERS);
        }
        var sources = new ArrayList<IssuerSource>();
        var names = new HashSet<String>();
        var issuers = new HashSet<@Nullable String>();
        for (Entry item : items) {
            IssuerSource source = issuer(item);
            String issuer = source.issuer().issuer();
            if (!names.add(source.issuer().name())) {
                throw item.refusal("has the name of another token issuer; give each its own name");
            }
            if (!issuers.add(issuer) || (issuer == null && items.size() > 1)) {
                throw item.refusal(
                        "needs its own issuer, because there are several token issuers; write issuer: the claim iss of"
                                + " its tokens");
            }
            sources.add(source);
        }
        return sources;
    }

    private static IssuerSource issuer(Entry entry) throws SettingsException {
        var fields = entry.fields(Set.of("name", "jwks", "issuer", "audience", "capability"));
        Entry named = required(entry, fields, "name");
        Entry jwks = required(entry, fields, "jwks");
        Entry allowed = required(entry, fields, "capability");
        Entry issuer = fields.get("issuer");
        Entry audience = fields.get("audience");
        String name = named.text("a name for logs, such as login");
        String place = jwks.text("the path of a file, or a URL that begins with https://");
        String issuerText = issuer == null ? null : issuer.text("the claim iss of the tokens");
        String audienceText = audience == null ? null : audience.text("a value of the claim aud of the tokens");
        var capability = Secrets.capability(allowed);
        TrustedIssuer trusted = named.checked(() -> new TrustedIssuer(name, issuerText, audienceText, capability));
        return jwks.checked(() -> new IssuerSource(trusted, place));
    }

    private static Entry required(Entry entry, Map<String, Entry> fields, String name) throws SettingsException {
        Entry field = fields.get(name);
        if (field == null) {
            throw entry.refusal("has no " + name + "; a token issuer needs name, jwks and capability");
        }
        return field;
    }

    /** Appends the section in the format of a settings file. */
    static void show(List<IssuerSource> sources, StringBuilder text) {
        text.append(SECTION).append(sources.isEmpty() ? ": []\n" : ":\n");
        for (IssuerSource source : sources) {
            TrustedIssuer issuer = source.issuer();
            text.append("  - name: ").append(issuer.name()).append("\n");
            line(text, "jwks", source.jwks());
            line(text, "issuer", issuer.issuer());
            line(text, "audience", issuer.audience());
            text.append("    capability: ").append(issuer.capability().text()).append("\n");
        }
    }

    private static void line(StringBuilder text, String name, @Nullable String value) {
        if (value != null) {
            text.append("    ")
                    .append(name)
                    .append(": \"")
                    .append(value.replace("\\", "\\\\").replace("\"", "\\\""))
                    .append("\"\n");
        }
    }
}
