package dev.doyen.spring;

import dev.doyen.store.LeaseStore;
import dev.doyen.stores.jdbc.JdbcLeaseStore;
import dev.doyen.stores.jdbc.JdbcSettings;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.ClassUtils;

/** Opens the store of the settings, or uses the application's LeaseStore bean. */
final class StoreOpening {

    private static final String DATA_SOURCE = "datasource:";
    private static final String JDBC_STORE = "dev.doyen.stores.jdbc.JdbcLeaseStore";

    private StoreOpening() {}

    /** Returns true if the URL names the application's own DataSource. */
    static boolean isDataSource(@Nullable String url) {
        return url != null && url.startsWith(DATA_SOURCE);
    }

    static StoreAnswers open(
            DoyenProperties properties, @Nullable LeaseStore own, ConfigurableListableBeanFactory beans) {
        String url = properties.store();
        if (own != null) {
            closedBefore(LeaseStore.class, beans);
            if (url != null) {
                throw new DoyenRefusedException(
                        "doyen.store is set, and there is a bean of type LeaseStore; leave one of them out");
            }
            return new StoreAnswers(own, System::nanoTime, false);
        }
        if (url == null || url.isBlank()) {
            throw new DoyenRefusedException(
                    "doyen.store is not set, so there is nowhere to keep leases; name a store, such as"
                            + " doyen.store=jdbc:postgresql://db/app, datasource: for this application's DataSource, or"
                            + " memory: for a trial");
        }
        if (!isDataSource(url)) {
            return own(Refusals.under("doyen.store", () -> LeaseStore.open(url)));
        }
        if (!ClassUtils.isPresent(JDBC_STORE, StoreOpening.class.getClassLoader())) {
            throw new DoyenRefusedException(
                    "doyen.store is " + url + ", which needs doyen-store-jdbc; add that dependency");
        }
        return own(OverJdbc.open(url.substring(DATA_SOURCE.length()), properties.datasource(), beans));
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
        static LeaseStore open(String name, DataSourceSettings settings, ConfigurableListableBeanFactory beans) {
            JdbcSettings ofTable = Refusals.under("doyen.datasource", () -> settings(settings));
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
            return Refusals.under("doyen.store", () -> JdbcLeaseStore.open(pool, ofTable));
        }

        private static JdbcSettings settings(DataSourceSettings set) {
            JdbcSettings usual = JdbcSettings.DEFAULT;
            String table = set.table() == null ? usual.table() : set.table();
            return new JdbcSettings(
                    set.schema() == null ? table : set.schema() + "." + table,
                    set.createTable() == null ? usual.createTable() : set.createTable(),
                    set.timeout() == null ? usual.timeout() : set.timeout(),
                    set.connections() == null ? usual.connections() : set.connections());
        }
    }
}
