package dev.doyen.spring;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.boot.origin.PropertySourceOrigin;
import org.springframework.core.env.Environment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * Rejects settings that do not exist. Spring would ignore such a setting, and the application would run without a
 * feature that the user relies on.
 *
 * <p>The checks cover files, properties and the environment. The lists of names are constants, because a native image
 * does not always know the components of a record.
 */
final class SettingNames {

    /** The settings under {@code doyen.elections.NAME}, as written in a file. */
    static final List<String> OF_AN_ELECTION = List.of(
            "ttl",
            "deadline",
            "renew-every",
            "request-timeout",
            "poll-every",
            "watched-poll-every",
            "resign-cooldown",
            "priority",
            "returns",
            "fencing",
            "auto-start",
            "health.bean",
            "health.every",
            "health.fall-after",
            "health.rise-after",
            "health.when-none-healthy");

    /** The settings under {@code doyen.datasource}. */
    static final List<String> OF_A_DATA_SOURCE = List.of("table", "schema", "create-table", "timeout", "connections");

    /** The settings under {@code doyen.ring}. */
    static final List<String> OF_A_RING = List.of(
            "peers", "dns", "listen", "secret", "cluster", "detection", "election-timeout", "algorithm", "order");

    /**
     * The settings for voters, which earlier versions had. With voters, at most one side of a network partition had a
     * leader.
     */
    private static final Set<String> OF_VOTERS = Set.of("voters", "promises");

    /**
     * The variables that Kubernetes sets in each container for a Service with the name doyen-ring or doyen-datasource.
     */
    private static final Pattern OF_A_SERVICE =
            Pattern.compile("DOYEN_(RING|DATASOURCE)_(SERVICE_(HOST|PORT.*)|PORT|PORT_[0-9]+_.*)");

    private final ConfigurationPropertyName group;
    private final List<String> known;

    /** True if the settings of the group are below a name that the user chooses. */
    private final boolean named;

    /** The known settings in the form in which Spring compares names. */
    private final Set<String> uniform;

    /** The known settings in the form that the name of an environment variable has, which contains no separators. */
    private final Set<String> joined;

    private SettingNames(String group, boolean named, List<String> known) {
        this.group = ConfigurationPropertyName.of(group);
        this.named = named;
        this.known = known;
        this.uniform = known.stream().map(name -> name.replace("-", "")).collect(Collectors.toUnmodifiableSet());
        this.joined = known.stream().map(SettingNames::joined).collect(Collectors.toUnmodifiableSet());
    }

    /** Throws {@link DoyenRefusedException} if a setting of an election or of the data source does not exist. */
    static void check(Environment environment) {
        new SettingNames("doyen.elections", true, OF_AN_ELECTION).checkAll(environment);
        new SettingNames("doyen.datasource", false, OF_A_DATA_SOURCE).checkAll(environment);
    }

    /** Throws {@link DoyenRefusedException} if a setting under {@code doyen.ring} does not exist. */
    static void checkRing(Environment environment) {
        new SettingNames("doyen.ring", false, OF_A_RING).checkAll(environment);
    }

    private void checkAll(Environment environment) {
        for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
            if (source instanceof IterableConfigurationPropertySource settings) {
                settings.stream()
                        .filter(name -> group.isAncestorOf(name) && name.getNumberOfElements() > depth())
                        .forEach(name -> check(name, settings));
            }
        }
    }

    /** Returns the number of elements of a name that come before the setting. */
    private int depth() {
        return group.getNumberOfElements() + (named ? 1 : 0);
    }

    private void check(ConfigurationPropertyName name, ConfigurationPropertySource source) {
        ConfigurationProperty set = source.getConfigurationProperty(name);
        if (set == null || isKnown(name, source) || isOfAService(set)) {
            return;
        }
        String what = name + " is set, by " + origin(set);
        String setting = setting(name, Form.DASHED);
        if (group.getLastElement(Form.UNIFORM).equals("ring") && OF_VOTERS.contains(first(setting))) {
            throw new DoyenRefusedException(what + ", and is not a setting any more, because voters were removed;"
                    + " follow docs/guide/migrate/ring-voters.md, and remove it");
        }
        String nearest = nearest(setting);
        boolean isNear = distance(setting, nearest) <= Math.max(2, setting.length() / 2);
        // The message does not contain the value, because a mistyped name can have a secret as its value.
        throw new DoyenRefusedException(what + ", and is not a setting; "
                + (isNear
                        ? "rename it to " + name.chop(depth()).append(nearest) + ", or remove it"
                        : "remove it, or choose one of " + String.join(", ", known)));
    }

    /**
     * Returns true if Spring binds a property of this name. Spring ignores the case and the dashes of a name, and the
     * index of an element of a list. In the name of an environment variable, the underscore stands for a dot or a dash.
     */
    private boolean isKnown(ConfigurationPropertyName name, ConfigurationPropertySource source) {
        String setting = setting(name, Form.UNIFORM);
        return uniform.contains(setting)
                || (source.getUnderlyingSource() instanceof SystemEnvironmentPropertySource
                        && joined.contains(joined(setting)));
    }

    /** Returns the part of the name that names the setting, without the indexes of a list. */
    private String setting(ConfigurationPropertyName name, Form form) {
        return IntStream.range(depth(), name.getNumberOfElements())
                .filter(i -> !name.isNumericIndex(i))
                .mapToObj(i -> name.getElement(i, form))
                .collect(Collectors.joining("."));
    }

    private static String first(String setting) {
        int dot = setting.indexOf('.');
        return dot < 0 ? setting : setting.substring(0, dot);
    }

    private String nearest(String setting) {
        return known.stream()
                .min(Comparator.comparingInt(each -> distance(setting, each)))
                .orElseThrow();
    }

    /**
     * Returns the Levenshtein distance: the number of letters to insert, delete or replace until the texts are equal.
     */
    private static int distance(String left, String right) {
        int[] above = IntStream.rangeClosed(0, right.length()).toArray();
        for (int i = 1; i <= left.length(); i++) {
            int[] row = new int[right.length() + 1];
            row[0] = i;
            for (int j = 1; j <= right.length(); j++) {
                int replaced = above[j - 1] + (left.charAt(i - 1) == right.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(replaced, Math.min(above[j], row[j - 1]) + 1);
            }
            above = row;
        }
        return above[right.length()];
    }

    private static String joined(String setting) {
        return setting.replaceAll("[-.]", "").toLowerCase(Locale.ROOT);
    }

    private static boolean isOfAService(ConfigurationProperty set) {
        return set.getOrigin() instanceof PropertySourceOrigin origin
                && OF_A_SERVICE.matcher(origin.getPropertyName()).matches();
    }

    private static Object origin(ConfigurationProperty set) {
        return set.getOrigin() == null ? "an unknown source" : set.getOrigin();
    }
}
