package dev.doyen.spring.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;

/**
 * Replaces all elections of the application under test by fakes.
 *
 * <p>Put it on a test class. It applies whatever the settings contain about a store, an elector or a ring. No store is
 * opened. The application leads only after the test has granted it through the injected {@link FakeElections}.
 *
 * <p>Each test method finds the elections in their initial state, because {@link FakeElections#beginAnew} runs before
 * it.
 *
 * <p>With an {@code ApplicationContextRunner}, use {@link FakeElectionsAutoConfiguration} instead.
 */
@Documented
@Inherited
@ImportAutoConfiguration
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface AutoConfigureFakeElections {}
