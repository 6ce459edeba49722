package dev.doyen.spring.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;

/**
 * Replaces all elections of the application under test with fake elections.
 *
 * <p>Put the annotation on a test class. The annotation overrides all settings of a store, an elector or a ring. No
 * store is opened. The application leads only after the test has granted the leadership, for example with
 * {@link FakeElections#grant} of the injected {@link FakeElections}.
 *
 * <p>Each test method starts with the elections in their initial state, because {@link FakeElections#beginAnew} runs
 * before each method.
 *
 * <p>With an {@code ApplicationContextRunner}, use {@link FakeElectionsAutoConfiguration} instead.
 */
@Documented
@Inherited
@ImportAutoConfiguration
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface AutoConfigureFakeElections {}
