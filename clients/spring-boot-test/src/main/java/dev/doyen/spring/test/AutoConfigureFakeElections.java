package dev.doyen.spring.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;

/**
 * On a test class: all elections of its application are fakes, whatever its settings say about a store, an elector or a ring.
 * No store is opened, and the application leads nowhere until the test grants it through the {@link FakeElections}, which it
 * has injected.
 *
 * <p>Each test method finds the elections as they were in the beginning: {@link FakeElections#beginAnew} is called before it.
 *
 * <p>With an {@code ApplicationContextRunner}, {@link FakeElectionsAutoConfiguration} does the same.
 */
@Documented
@Inherited
@ImportAutoConfiguration
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface AutoConfigureFakeElections {}
