package dev.doyen.spring;

import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseStores;
import dev.doyen.stores.jdbc.JdbcLeaseStore;
import dev.doyen.stores.jdbc.JdbcSettings;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.ClassUtils;

/** Opens the store at the URL {@code doyen.store}, or uses the application's LeaseStore bean. */
final class StoreOpening {

    private static final String DATA_SOURCE = "datasource:";
    private static final String JDBC_STORE = "dev.doyen.stores.jdbc.JdbcLeaseStore";

    private StoreOpening() {}

    static StoreAnswers open(@Nullable String url, @Nullable LeaseStore own, ConfigurableListableBeanFactory beans) {
        if (own != null) {
            closedBefore(LeaseStore.class, beans);
            if (url != null) {
                throw new DoyenRefusedException(
                        "doyen.store is set, and there is a bean of type LeaseStore; leave one of" + " them out");
            }
            return new StoreAnswers(own, System::nanoTime, false);
        }
        if (url == null || url.isBlank()) {
            throw new DoyenRefusedException(
                    "doyen.store is not set, so there is nowhere to keep leases; name a store, such as"
                            + " doyen.store=jdbc:postgresql://db/app, datasource: for this application's DataSource, or"
                            + " memory: for a trial");
        }
        if (!url.startsWith(DATA_SOURCE)) {
            return own(Refusals.under("doyen.store", () -> LeaseStores.open(url)));
        }
        if (!ClassUtils.isPresent(JDBC_STORE, StoreOpening.class.getClassLoader())) {
            throw new DoyenRefusedException(
                    "doyen.store is " + url + ", which needs doyen-store-jdbc; add that dependency");
        }
        return own(OverJdbc.open(url.substring(DATA_SOURCE.length()), beans));
    }

    private static StoreAnswers own(LeaseStore opened) {
        return new StoreAnswers(opened, System::nanoTime, true);
    }

    /**
     * Makes the context close the elections before the beans of this type.
     *
     * <p>The context does not detect this dependency, because the elections request the store bean only when they open
     * the store.
     */
    private static void closedBefore(Class<?> type, ConfigurableListableBeanFactory beans) {
        for (String name : beans.getBeanNamesForType(type, true, false)) {
            beans.registerDependentBean(name, DoyenAutoConfiguration.SOURCE);
        }
    }

    /** A class that is loaded only if doyen-store-jdbc is on the class path. */
    private static final class OverJdbc {
        static LeaseStore open(String name, ConfigurableListableBeanFactory beans) {
            DataSource pool;
            try {
                pool = name.isEmpty() ? beans.getBean(DataSource.class) : beans.getBean(name, DataSource.class);
            } catch (NoSuchBeanDefinitionException e) {
                throw new DoyenRefusedException(
                        "doyen.store is " + DATA_SOURCE + name
                                + ", but there is no such DataSource, or more than one; set"
                                + " spring.datasource.url, or name the bean as " + DATA_SOURCE + "NAME",
                        e);
            }
            closedBefore(DataSource.class, beans);
            return JdbcLeaseStore.open(pool, JdbcSettings.DEFAULT);
        }
    }
}
