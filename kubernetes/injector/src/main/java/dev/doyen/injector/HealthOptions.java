package dev.doyen.injector;

import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The options of a pod for the health check of its application.
 *
 * @param settings the settings that the pod chooses itself. The values are valid for {@code doyen elector}
 */
record HealthOptions(Source source, Map<Setting, String> settings) {

    static final String ANNOTATION = Marks.option("health");

    private static final Duration LEAST_TIME = Duration.ofMillis(10);
    private static final Duration MOST_TIME = Duration.ofHours(1);
    private static final Pattern TIME = Pattern.compile("[0-9]{1,9}(ms|s|m)");
    private static final String TIME_BOUND = "a time from 10ms to 60m, such as 500ms or 5s";
    private static final Pattern COUNT = Pattern.compile("[1-9][0-9]?|100");
    private static final Pattern COMMAND = Pattern.compile("(?=.{1,1024}$)[^\\s\\p{Cntrl}]+( +[^\\s\\p{Cntrl}]+)*+");
    private static final Pattern IF_NONE_HEALTHY = Pattern.compile("no_leader|lead_anyway");

    HealthOptions {
        settings = Map.copyOf(settings);
    }

    /** The source of the check if no annotation contains a check. */
    enum Source {
        /** The liveness probe of the application, or the readiness probe if the elector can run no liveness probe. */
        PROBE,
        LIVENESS,
        READINESS,
        NONE
    }

    /** A setting of the check. An annotation and an option of {@code doyen elector} have the same name. */
    enum Setting {
        HTTP("health-http"),
        TCP("health-tcp"),
        EXEC("health-exec"),
        EVERY("health-every"),
        TIMEOUT("health-timeout"),
        FALL("fall"),
        RISE("rise"),
        IF_NONE_HEALTHY("if-none-healthy");

        /** The settings that choose a check. A pod can set one of them. */
        static final List<Setting> CHECKS = List.of(HTTP, TCP, EXEC);

        final String annotation;
        /** The variable that sets the option of {@code doyen elector}. */
        final String variable;

        Setting(String option) {
            annotation = Marks.option(option);
            variable = "ELECTOR_" + option.replace('-', '_').toUpperCase(Locale.ROOT);
        }
    }

    /**
     * Reads the annotations.
     *
     * @param nonExpiring true if the elector acquires a non-expiring lease, and so cannot check the health
     */
    static HealthOptions read(PodAnnotations given, boolean nonExpiring) throws InjectionRefusedException {
        var settings = new EnumMap<Setting, String>(Setting.class);
        put(settings, given, Setting.HTTP, UrlSyntax.URL, "a URL such as http://localhost:8080/livez");
        put(settings, given, Setting.TCP, UrlSyntax.HOST_AND_PORT, "HOST:PORT such as localhost:8080");
        put(settings, given, Setting.EXEC, COMMAND, "a command of 1 to 1024 characters, with blanks between its words");
        putTime(settings, given, Setting.EVERY);
        putTime(settings, given, Setting.TIMEOUT);
        put(settings, given, Setting.FALL, COUNT, "a number from 1 to 100");
        put(settings, given, Setting.RISE, COUNT, "a number from 1 to 100");
        put(settings, given, Setting.IF_NONE_HEALTHY, IF_NONE_HEALTHY, "no_leader or lead_anyway");
        var source = given.oneOf(ANNOTATION, "probe", "liveness", "readiness", "none");
        var options = new HealthOptions(Source.valueOf(source.toUpperCase(Locale.ROOT)), settings);
        options.refuseConflicts(given, nonExpiring);
        return options;
    }

    private static void put(
            Map<Setting, String> settings, PodAnnotations given, Setting setting, Pattern pattern, String bound)
            throws InjectionRefusedException {
        given.matching(setting.annotation, pattern, bound).ifPresent(value -> settings.put(setting, value));
    }

    private static void putTime(Map<Setting, String> settings, PodAnnotations given, Setting setting)
            throws InjectionRefusedException {
        put(settings, given, setting, TIME, TIME_BOUND);
        var value = settings.get(setting);
        if (value != null
                && (time(value).compareTo(LEAST_TIME) < 0 || time(value).compareTo(MOST_TIME) > 0)) {
            throw given.refusal(setting.annotation, TIME_BOUND);
        }
    }

    /** Returns the duration of a text such as {@code 500ms}, {@code 5s} or {@code 2m}. */
    static Duration time(String text) {
        int digits = text.replaceFirst("[^0-9].*", "").length();
        long number = Long.parseLong(text.substring(0, digits));
        return switch (text.substring(digits)) {
            case "ms" -> Duration.ofMillis(number);
            case "s" -> Duration.ofSeconds(number);
            default -> Duration.ofMinutes(number);
        };
    }

    private void refuseConflicts(PodAnnotations given, boolean nonExpiring) throws InjectionRefusedException {
        var checks = Setting.CHECKS.stream().filter(settings::containsKey).toList();
        if (checks.size() > 1) {
            throw new InjectionRefusedException("annotations " + checks.get(0).annotation + " and "
                    + checks.get(1).annotation + " exclude each other; choose one");
        }
        if (!checks.isEmpty() && given.has(ANNOTATION)) {
            throw new InjectionRefusedException("annotations " + ANNOTATION + " and " + checks.get(0).annotation
                    + " exclude each other; choose one");
        }
        var first = List.of(Setting.values()).stream()
                .filter(settings::containsKey)
                .map(setting -> setting.annotation)
                .findFirst()
                .or(() -> given.text(ANNOTATION)
                        .filter(value -> source != Source.NONE)
                        .map(value -> ANNOTATION));
        if (nonExpiring && first.isPresent()) {
            throw new InjectionRefusedException("annotation " + first.get() + " has no effect with annotation "
                    + Marks.option("mode") + ": non_expiring, because then an unhealthy candidate also leads; leave out"
                    + " one of the two");
        }
    }

    /** Returns true if an annotation contains the check. */
    boolean choosesCheck() {
        return Setting.CHECKS.stream().anyMatch(settings::containsKey);
    }
}
