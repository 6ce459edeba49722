@NullMarked
package dev.doyen.injector.controller;

import org.jspecify.annotations.NullMarked;
