package dev.doyen.stores.jdbc;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Properties;

/**
 * A parsed JDBC URL, with the settings for the store and for the driver.
 *
 * @param driverUrl the URL without the parameters {@code doyen.*}
 * @param parameters names and values of the URL's other parameters
 */
record JdbcUrl(Dialect dialect, String driverUrl, JdbcSettings settings, Properties parameters) {

    /**
     * Parses a URL.
     *
     * @throws IllegalArgumentException if the URL is invalid. Of the URL's parameters, the message contains only those
     *     that begin with {@code doyen.}
     */
    static JdbcUrl parse(String url, JdbcSettings base) {
        Dialect dialect = Dialects.ofUrl(url);
        String separator = dialect.parameterSeparator();
        int start = url.indexOf(dialect.parameterStart());
        if (start < 0) {
            return new JdbcUrl(dialect, url, base, new Properties());
        }
        JdbcSettings settings = base;
        List<String> kept = new ArrayList<>();
        var parameters = new Properties();
        for (String parameter : url.substring(start + 1).split(separator, -1)) {
            int equals = parameter.indexOf('=');
            String name = equals < 0 ? parameter : parameter.substring(0, equals);
            String value = equals < 0 ? "" : parameter.substring(equals + 1);
            if (name.startsWith("doyen.")) {
                settings = set(settings, name, value);
            } else {
                kept.add(parameter);
                parameters.setProperty(name.toLowerCase(Locale.ROOT), value);
            }
        }
        String driverUrl = url.substring(0, start)
                + (kept.isEmpty() ? "" : dialect.parameterStart() + String.join(separator, kept));
        return new JdbcUrl(dialect, driverUrl, settings, parameters);
    }

    /** Returns true if the URL sets this parameter. The store must not set the parameter in this case. */
    boolean hasParameter(String parameter) {
        return parameters.containsKey(parameter.toLowerCase(Locale.ROOT));
    }

    private static JdbcSettings set(JdbcSettings settings, String name, String value) {
        return switch (name) {
            case "doyen.table" -> settings.withTable(value);
            case "doyen.create-table" ->
                switch (value) {
                    case "true" -> settings.withCreateTable(true);
                    case "false" -> settings.withCreateTable(false);
                    default ->
                        throw new IllegalArgumentException(
                                "doyen.create-table is \"" + value + "\"; it is true or false");
                };
            case "doyen.timeout-millis" -> settings.withTimeout(Duration.ofMillis(number(name, value)));
            case "doyen.connections" -> settings.withConnections(number(name, value));
            default ->
                throw new IllegalArgumentException("the URL has the unknown parameter " + name
                        + "; there are doyen.table, doyen.create-table, doyen.timeout-millis and doyen.connections");
        };
    }

    private static int number(String name, String value) {
        try {
            return Integer.parseInt(value);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(name + " is \"" + value + "\"; it is a whole number", e);
        }
    }
}
