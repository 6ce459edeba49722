package dev.doyen.stores.jdbc;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Describes a driver's exception without the URL and without credentials.
 *
 * <p>The store never passes on a driver's exception as a cause, because some drivers include the whole URL in the
 * message.
 */
final class DriverFaults {

    private static final Pattern SECRET = Pattern.compile(".*(pass|pwd|secret|token|key|cipher|credential).*");

    /**
     * The pattern of a URL. The messages of drivers can contain URLs with the passwords of an application's pool. The
     * store does not have these passwords and cannot search for them, so it removes every JDBC URL.
     */
    private static final Pattern URL = Pattern.compile("jdbc:\\S+");

    private static final Pattern PASSWORD = Pattern.compile("(?i)(pass\\w*|pwd)\\s*=\\s*\\S+");
    private static final int MAX_LENGTH = 300;

    private final List<String> secrets;

    private DriverFaults(Set<String> secrets) {
        // Replace the longest secret first, so that a whole URL is replaced before a part of the URL.
        this.secrets = secrets.stream()
                .filter(secret -> !secret.isEmpty())
                .sorted(Comparator.comparingInt(String::length).reversed())
                .toList();
    }

    /** Returns an instance for connections that an application's pool opens. */
    static DriverFaults ofDataSource() {
        return new DriverFaults(Set.of());
    }

    static DriverFaults ofUrl(String url, JdbcUrl parsed, Properties credentials) {
        Set<String> secrets = new HashSet<>();
        secrets.add(url);
        secrets.add(parsed.driverUrl());
        int start = url.indexOf(parsed.dialect().parameterStart());
        if (start > 0) {
            secrets.add(url.substring(start + 1));
        }
        addSecrets(secrets, parsed.parameters());
        addSecrets(secrets, credentials);
        int at = url.lastIndexOf('@');
        int host = url.indexOf("//");
        if (host >= 0 && at > host) {
            for (String part : url.substring(host + 2, at).split("[:/@,]", -1)) {
                add(secrets, part);
            }
        }
        return new DriverFaults(secrets);
    }

    String describe(@Nullable Throwable fault) {
        if (fault == null) {
            return "for a reason the driver does not give";
        }
        String message = fault.getMessage() == null ? "" : fault.getMessage();
        for (String secret : secrets) {
            message = message.replace(secret, "***");
        }
        message = URL.matcher(message).replaceAll("jdbc:***");
        message = PASSWORD.matcher(message).replaceAll("$1=***");
        message = message.strip().lines().findFirst().orElse("");
        if (message.length() > MAX_LENGTH) {
            message = message.substring(0, MAX_LENGTH) + "...";
        } else if (message.endsWith(".")) {
            // The store's sentence continues after the driver's sentence.
            message = message.substring(0, message.length() - 1);
        }
        String state = fault instanceof SQLException sql && sql.getSQLState() != null ? " " + sql.getSQLState() : "";
        return fault.getClass().getSimpleName() + state + (message.isEmpty() ? "" : ": " + message);
    }

    private static void addSecrets(Set<String> secrets, Properties from) {
        for (String name : from.stringPropertyNames()) {
            if (SECRET.matcher(name.toLowerCase(Locale.ROOT)).matches()) {
                add(secrets, from.getProperty(name));
            }
        }
    }

    private static void add(Set<String> secrets, String secret) {
        secrets.add(secret);
        try {
            secrets.add(URLDecoder.decode(secret, StandardCharsets.UTF_8));
        } catch (IllegalArgumentException e) {
            // The secret is not URL-encoded, so there is no decoded form to hide.
        }
    }
}
