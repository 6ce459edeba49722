package dev.doyen.spring;

import dev.doyen.store.LeaseStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/** Chooses the election source from the settings, and rejects contradictory settings. */
final class SourceChoice {

    private static final String CLUSTER = "dev.doyen.cluster.ClusterMembership";
    private static final String CLIENT = "dev.doyen.client.Elector";
    private static final List<String> VARIABLES = List.of("ELECTOR_GET_URL", "ELECTOR_SSE_URL", "ELECTOR_PATH");

    private final DoyenProperties properties;
    private final ConfigurableListableBeanFactory beans;
    private final Environment environment;
    private final String process;

    /** @param process the name of this application's candidates, unless an elector uses another name */
    SourceChoice(
            DoyenProperties properties,
            ConfigurableListableBeanFactory beans,
            Environment environment,
            String process) {
        this.process = process;
        this.properties = properties;
        this.beans = beans;
        this.environment = environment;
    }

    /** @param leases the supplier of the source for applications that configure only a store or no source */
    ElectionSource source(Supplier<ElectionSource> leases) {
        List<String> named = new ArrayList<>();
        if (isSet(properties.store())) {
            named.add("doyen.store");
        }
        if (beans.getBeanNamesForType(LeaseStore.class, true, false).length > 0) {
            named.add("a bean of type LeaseStore");
        }
        if (isSet(properties.elector().url())) {
            named.add("doyen.elector.url");
        }
        if (properties.ring().isSet()) {
            named.add("doyen.ring");
        }
        if (named.size() > 1) {
            throw new DoyenRefusedException("more than one of these settings names a source of elections: "
                    + String.join(", ", named) + "; leave one of them");
        }
        if (!properties.datasource().equals(DataSourceSettings.NONE)
                && !StoreOpening.isDataSource(properties.store())) {
            throw new DoyenRefusedException("doyen.datasource is set, and doyen.store does not name the application's"
                    + " DataSource; set doyen.store=datasource:, or remove doyen.datasource");
        }
        if (named.isEmpty() ? !variables().isEmpty() : named.contains("doyen.elector.url")) {
            return elector();
        }
        return properties.ring().isSet() ? ring() : leases.get();
    }

    private ElectionSource ring() {
        if (!ClassUtils.isPresent(CLUSTER, beans.getBeanClassLoader())) {
            throw new DoyenRefusedException(
                    "doyen.ring is set, which needs doyen-cluster; add that dependency, or set doyen.store");
        }
        SettingNames.checkRing(environment);
        checkSession("doyen.ring is set, where members have no sessions");
        checkGeneration("doyen.ring is set, where candidates have no generation; leave doyen.generation out");
        return new RingElectionSource(properties.ring(), process, name -> HealthBeans.find(name, beans));
    }

    private void checkSession(String why) {
        if (properties.session() != DoyenProperties.Session.OWN) {
            throw new DoyenRefusedException(
                    "doyen.session is " + properties.session() + ", and " + why + "; leave doyen.session out");
        }
    }

    private void checkGeneration(String why) {
        if (properties.generation() != null) {
            throw new DoyenRefusedException("doyen.generation is " + properties.generation() + ", and " + why);
        }
    }

    private ElectionSource elector() {
        String url = properties.elector().url();
        String where = isSet(url)
                ? "doyen.elector.url"
                : String.join(" and ", variables().keySet());
        if (!ClassUtils.isPresent(CLIENT, beans.getBeanClassLoader())) {
            throw new DoyenRefusedException(
                    where + " names an elector, which needs doyen-client; add that dependency, or set doyen.store");
        }
        checkSession(where + " names an elector, which has its own sessions");
        checkGeneration(where + " names an elector, which has its own generation;"
                + " leave doyen.generation out, and start the elector with --generation");
        return new ElectorElectionSource(
                properties.elector(), isSet(url) ? url : null, variables(), properties.candidateId(), where);
    }

    private Map<String, String> variables() {
        Map<String, String> found = new TreeMap<>();
        for (String name : VARIABLES) {
            String set = environment.getProperty(name);
            if (set != null && !set.isBlank()) {
                found.put(name, set);
            }
        }
        return found;
    }

    private static boolean isSet(@Nullable String text) {
        return text != null && !text.isBlank();
    }
}
