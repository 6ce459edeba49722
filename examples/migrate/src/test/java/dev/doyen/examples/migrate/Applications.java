package dev.doyen.examples.migrate;

import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/** Spring applications in one JVM that share one H2 database. */
final class Applications {

    private final String database;

    /**
     * Creates the database.
     *
     * @param schema the SQL statement that creates the table of the old library
     */
    Applications(String name, String schema) throws SQLException {
        database = "jdbc:h2:mem:" + name + ";DB_CLOSE_DELAY=-1";
        try (var connection = DriverManager.getConnection(database, "sa", "");
                var statement = connection.createStatement()) {
            statement.execute(schema);
        }
    }

    /**
     * Starts an application.
     *
     * @param work a bean that the application needs and that replaces the user's code
     */
    ConfigurableApplicationContext start(Class<?> application, String id, Object work, String... settings) {
        List<String> all = new ArrayList<>(List.of(
                "--spring.datasource.url=" + database,
                "--spring.datasource.username=sa",
                "--spring.main.banner-mode=off",
                "--logging.level.root=warn",
                "--doyen.candidate-id=" + id));
        all.addAll(List.of(settings));
        var starting = new SpringApplication(application);
        starting.addInitializers(context -> context.getBeanFactory().registerSingleton("work", work));
        return starting.run(all.toArray(String[]::new));
    }

    int count(String table) throws SQLException {
        try (var connection = DriverManager.getConnection(database, "sa", "");
                var statement = connection.createStatement();
                var rows = statement.executeQuery("SELECT COUNT(*) FROM " + table)) {
            rows.next();
            return rows.getInt(1);
        }
    }
}
