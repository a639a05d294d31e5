package study
